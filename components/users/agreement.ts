import { ENGLISH_FORMATS, type Formats } from '#components/format/formats.ts'

/** Agreement as a share of the votes received: `'81%'`, rounded half up, exactly; null where nobody voted. */
export function toAgreementText(
  agree: number,
  disagree: number,
  { formatShare }: Formats = ENGLISH_FORMATS,
): string | null {
  const votes = agree + disagree
  return votes === 0 ? null : formatShare(toPercent(agree, votes))
}

/** A part of a whole above 0 in whole percent, rounded half up, exactly. */
export const toPercent = (part: number, whole: number): number =>
  Math.floor((200 * part + whole) / (2 * whole))

/** A share with four places (`'0.6509'`) in whole percent, rounded half up. */
export const toShareText = (share: string, { formatShare }: Formats = ENGLISH_FORMATS): string =>
  formatShare(toPercent(toTenThousandths(share), 10_000))

/** `'0.6509'` is 6509. */
export const toTenThousandths = (share: string): number => Number(share.replace('.', ''))
