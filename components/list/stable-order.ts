import { useState } from 'react'
import type { Chosen } from '#lib/contract/value-list.ts'

type RankedValues<T> = {
  /** Most frequent first; undefined until loaded. */
  top: readonly { value: T }[] | undefined
  chosen: Chosen<T>
  most: number
}

export function toOrder<T>({ top, chosen, most }: RankedValues<T>): T[] {
  const first = [...chosen.only, ...chosen.not]
  const others = (top ?? []).map(({ value }) => value).filter((value) => !first.includes(value))
  return [...first, ...others.slice(0, Math.max(0, most - first.length))]
}

/** A newly chosen value replaces the last unchosen one; others keep their place. */
export function toStableOrder<T>(places: readonly T[], values: RankedValues<T>): readonly T[] {
  const { top, chosen, most } = values
  const kept = [...places]
  const isChosen = (value: T) => chosen.only.includes(value) || chosen.not.includes(value)
  for (const value of [...chosen.only, ...chosen.not]) {
    if (kept.includes(value)) continue
    const free = kept.length < most ? -1 : kept.findLastIndex((other) => !isChosen(other))
    if (free < 0) kept.push(value)
    else kept[free] = value
  }
  for (const { value } of top ?? []) {
    if (kept.length >= most) break
    if (!kept.includes(value)) kept.push(value)
  }
  const isSame = kept.length === places.length && kept.every((value, at) => value === places[at])
  return isSame ? places : kept
}

type StableOrder<T> = { places: readonly T[]; lines: number }

const open = <T>(values: RankedValues<T>): StableOrder<T> => {
  const places = toOrder(values)
  return { places, lines: Math.max(values.most, places.length) }
}

/** Values keep their order while one filters. */
export function useStableOrder<T>(values: RankedValues<T>): StableOrder<T> {
  const [held, setHeld] = useState(() => (values.top === undefined ? null : open(values)))
  const last = held ?? open(values)
  const places = toStableOrder(last.places, values)
  const next = places === last.places ? last : { ...last, places }
  if (values.top !== undefined && next !== held) setHeld(next)
  return next
}
