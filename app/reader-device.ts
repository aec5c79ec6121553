import { headers } from 'next/headers'

/**
 * Whether the reader of this request holds a phone, by what his browser calls itself. Its width is not known here and is
 * not guessed: a narrow window on a desk is a desk's.
 */
export async function readIsPhone(): Promise<boolean> {
  const given = await headers()
  const hint = given.get('sec-ch-ua-mobile')
  return hint === null ? /\bMobi/.test(given.get('user-agent') ?? '') : hint === '?1'
}
