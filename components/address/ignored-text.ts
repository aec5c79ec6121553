import type { Issue } from '#lib/contract/faults.ts'

const LONGEST = 24

/** What had to be ignored in an address, in words: `page “zz” is not a whole number from 1 to 9999999`. */
export const toIgnoredText = ({ parameter, message }: Issue, params: URLSearchParams): string =>
  `${parameter}${toValue(params.get(parameter))} ${message}`

/** The value as it stood there, shortened: it is the address's own text and may be anything. */
function toValue(value: string | null): string {
  if (value === null || value === '') return ''
  const letters = [...value]
  return ` “${letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('')}…` : value}”`
}
