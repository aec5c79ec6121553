import { useFormats } from '#components/format/use-formats.tsx'
import type { UserRow } from '#lib/contract/answers/users.ts'
import { toAgreementText, toShareText } from './agreement.ts'

/** The share of votes that agreed, how low it may be, and of how many votes. */
export function AgreementCell({ row }: { row: UserRow }) {
  const { agree, disagree, agreement_low: low } = row
  const formats = useFormats()
  const share = toAgreementText(agree, disagree, formats)
  if (share === null || low === null) return <span className="text-ink-3">no votes</span>
  return (
    <span className="inline-flex items-baseline justify-end gap-2">
      {share}
      <span className="text-sm text-ink-3">≥ {toShareText(low, formats)}</span>
      <span className="min-w-16 text-sm text-ink-3">n={formats.formatCount(agree + disagree)}</span>
    </span>
  )
}
