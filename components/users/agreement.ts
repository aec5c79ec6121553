import { ENGLISH_FORMATS, type Formats } from '#components/format/formats.ts'

/** Agreement as a share of the votes received: `'81%'`, rounded half up, exactly; null where nobody voted. */
export function toAgreementText(
  agree: number,
  disagree: number,
  { formatShare }: Formats = ENGLISH_FORMATS,
): string | null {
  const votes = agree + disagree
  if (votes === 0) return null
  return formatShare(Math.floor((200 * agree + votes) / (2 * votes)))
}
