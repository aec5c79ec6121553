/** An empty `only` means any value. */
export type Chosen<T> = { only: T[]; not: T[] }

export const ANY: Chosen<never> = { only: [], not: [] }

export const isAny = ({ only, not }: Chosen<unknown>): boolean =>
  only.length === 0 && not.length === 0

export const isLeft = <T>({ only, not }: Chosen<T>, value: T): boolean =>
  (only.length === 0 || only.includes(value)) && !not.includes(value)

export const only = <T>(...values: T[]): Chosen<T> => ({ only: values, not: [] })

const without = <T>(values: readonly T[], value: T): T[] =>
  values.filter((other) => other !== value)

export function toToggled<T>(
  chosen: Chosen<T>,
  value: T,
  how: keyof Chosen<T> = 'only',
): Chosen<T> {
  const next = { only: without(chosen.only, value), not: without(chosen.not, value) }
  return chosen[how].includes(value) ? next : { ...next, [how]: [...next[how], value] }
}

type ListedValue = { isNot: boolean; text: string }

const PLAIN = /^[^\s",-](?:[^",]*[^\s",])?$/
const ITEM = /^\s*(-?)(?:"((?:[^"]|"")*)"|([^",-][^,]*|))\s*(?:,|$)/

/** Double quotes (doubled inside) protect commas. Null for an unclosed quote. */
export function splitList(text: string): ListedValue[] | null {
  const items: ListedValue[] = []
  let rest = text
  for (;;) {
    const match = ITEM.exec(rest)
    if (!match) return null
    const [whole, minus, quoted, plain] = match
    items.push({ isNot: minus === '-', text: quoted?.replaceAll('""', '"') ?? plain?.trim() ?? '' })
    if (!whole.endsWith(',')) return items
    rest = rest.slice(whole.length)
  }
}

export const quoteValue = (value: string | number): string => {
  const text = String(value)
  return PLAIN.test(text) ? text : `"${text.replaceAll('"', '""')}"`
}

export function toListText<T extends string | number>(
  { only, not }: Chosen<T>,
  isSorted = true,
): string {
  const texts = (values: readonly T[]) =>
    (isSorted ? [...values].sort(compareValues) : values).map(quoteValue)
  return [...texts(only), ...texts(not).map((text) => `-${text}`)].join(',')
}

/** Text by code units, not by locale. */
export const compareValues = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : a < b ? -1 : a > b ? 1 : 0
