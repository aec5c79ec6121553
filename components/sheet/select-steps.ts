import type { PageInfo } from '#lib/contract/answers/envelope.ts'

/** Where a step leads: a rating of this page, or the nearest one of the page beside it. */
export type Way =
  | { kind: 'rating'; id: number }
  | { kind: 'page'; number: number }
  | { kind: 'none'; why: string }

export type Steps = {
  /** Which rating of the whole result is open, from 1; null where it is not on this page. */
  position: number | null
  previous: Way
  next: Way
}

type Shown = { ids: readonly number[]; info: PageInfo; open: number }

/** The ratings before and after the open one, in the order of the result. */
export function selectSteps({ ids, info, open }: Shown): Steps {
  const index = ids.indexOf(open)
  const first = ids[0]
  if (index < 0) {
    return {
      position: null,
      previous: { kind: 'none', why: 'The open rating is not on this page of the result.' },
      next: first === undefined ? toNone('There is no rating in the result.') : toRating(first),
    }
  }
  const [before, after] = [ids[index - 1], ids[index + 1]]
  return {
    position: (info.number - 1) * info.size + index + 1,
    previous:
      before !== undefined
        ? toRating(before)
        : info.number > 1
          ? { kind: 'page', number: info.number - 1 }
          : toNone('This is the first rating of the result.'),
    next:
      after !== undefined
        ? toRating(after)
        : info.number < info.pages
          ? { kind: 'page', number: info.number + 1 }
          : toNone('This is the last rating of the result.'),
  }
}

const toRating = (id: number): Way => ({ kind: 'rating', id })
const toNone = (why: string): Way => ({ kind: 'none', why })

/**
 * The rating to open on the page that was turned to. Ratings that arrived in between may have moved the open one onto
 * it: then the one beyond.
 */
export function selectArrival(
  ids: readonly number[],
  open: number,
  direction: 1 | -1,
): number | null {
  const index = ids.indexOf(open)
  if (index >= 0) return ids[index + direction] ?? open
  return (direction === 1 ? ids[0] : ids.at(-1)) ?? null
}
