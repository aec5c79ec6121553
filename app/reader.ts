import { headers } from 'next/headers'
import type { NumberMarks } from '#components/format/numbers.ts'
import { toNumberMarks, toReaderLanguage } from '#components/format/reader-language.ts'

/** How the reader of this request has his numbers written. */
export const readMarks = async (): Promise<NumberMarks> =>
  toNumberMarks(toReaderLanguage((await headers()).get('accept-language')))

/**
 * Whether the reader of this request holds a phone, by what his browser calls itself. Its width is not known here and is
 * not guessed: a narrow window on a desk is a desk's.
 */
export async function readIsPhone(): Promise<boolean> {
  const given = await headers()
  const hint = given.get('sec-ch-ua-mobile')
  return hint === null ? /\bMobi/.test(given.get('user-agent') ?? '') : hint === '?1'
}
