import type { Counted } from '#lib/contract/answers/envelope.ts'
import type { Chosen } from '#lib/contract/value-list.ts'

/** A line of a filter: `count` is null where nobody counted it. */
export type FacetRow<T> = {
  value: T
  label: string
  count: number | null
  isOn: boolean
  isNot: boolean
  /** What it means, where the label does not say all of it. */
  rule?: string
}

/** Takes a value in or out, or gives up that it was. */
export type ToggleValue<T> = (value: T, how: keyof Chosen<T>) => void

type CodeRows = {
  /** The labels of the codes that are always shown. */
  known: Readonly<Record<number, string>>
  counted: readonly Counted[] | undefined
  chosen: Chosen<number>
  toLabel: (code: number) => string
}

/** The lines of a filter by code: ours, those that the service uses beside them, and those that were asked for. */
export function toCodeRows({ known, counted, chosen, toLabel }: CodeRows): FacetRow<number>[] {
  const found = new Map(counted?.map((row) => [row.value, row]))
  const codes = new Set([
    ...Object.keys(known).map(Number),
    ...found.keys(),
    ...chosen.only,
    ...chosen.not,
  ])
  return [...codes]
    .sort((a, b) => a - b)
    .map((value) => ({
      value,
      label: found.get(value)?.label ?? toLabel(value),
      count: counted ? (found.get(value)?.count ?? 0) : null,
      ...toChoice(chosen, value),
    }))
}

const toChoice = <T>({ only, not }: Chosen<T>, value: T) => ({
  isOn: only.includes(value),
  isNot: not.includes(value),
})

type TopRows<T> = {
  /** The most frequent, and every chosen one that is there at all. */
  top: readonly { value: T; count: number }[] | undefined
  chosen: Chosen<T>
  most: number
}

/**
 * The lines of a filter with many values: the top ones where they stand, so that a click moves nothing, and above
 * them the chosen ones that are not among them.
 */
export function toTopRows<T extends string | number>({
  top,
  chosen,
  most,
}: TopRows<T>): FacetRow<T>[] {
  const counts = new Map(top?.map(({ value, count }) => [value, count]))
  const first = (top ?? []).slice(0, most).map(({ value }) => value)
  const others = [...chosen.only, ...chosen.not].filter((value) => !first.includes(value))
  return [...others, ...first].map((value) => ({
    value,
    label: String(value),
    count: top ? (counts.get(value) ?? 0) : null,
    ...toChoice(chosen, value),
  }))
}
