import { useFormats } from '#components/format/use-formats.tsx'
import { toSignedText } from '#components/symbols/signed-consensus.ts'
import type { UserRow } from '#lib/contract/answers/users.ts'

/** How far a member's active ratings stand from the others' on their symbols, with its sign, and over how many. */
export function BiasCell({ row: { bias, bias_n: count } }: { row: UserRow }) {
  const formats = useFormats()
  if (bias === null) return <span className="text-ink-3">–</span>
  return (
    <span className="inline-flex items-baseline justify-end gap-2">
      {toSignedText(bias, formats)}
      <span className="min-w-9 text-sm text-ink-3">n={formats.formatCount(count)}</span>
    </span>
  )
}
