import { Segmented } from '#components/ui/segmented.tsx'
import { type QueryProps, withFilter } from './query-change.ts'

const ANY = 'any'
const OPTIONS = [
  { value: ANY, label: 'Any' },
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
] as const

/** Active, expired, or both, at the instant of the answer. */
export function StateFilter({ query, change }: QueryProps) {
  return (
    <div>
      <p aria-hidden className="mb-1.5 text-sm font-medium text-ink-3">
        State
      </p>
      <Segmented
        label="State"
        options={OPTIONS}
        value={query.state ?? ANY}
        onChange={(state) =>
          change((last) => withFilter(last, { state: state === ANY ? null : state }))
        }
      />
    </div>
  )
}
