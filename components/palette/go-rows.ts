import { toRatingHref } from '#components/address/rating-address.ts'
import { toSymbolHref } from '#components/address/symbol-address.ts'
import type { Writing } from '#components/filter-text/word-at.ts'
import { type Outlook, toOutlookHref } from '#lib/contract/outlook.ts'
import { isOutdated } from './completions.ts'
import type { Lookups } from './lookups.ts'
import { selectPageRows } from './pages.ts'
import type { Row, Section } from './row.ts'

const MOST = 3

/** The member and the rating with a number, which may be there or not, and members whose number begins with it. */
export function selectNumberSection(number: number, { users }: Lookups, outlook: Outlook): Section {
  const known = users.found.find(({ user }) => user === number)
  const others = users.found.filter(({ user }) => user !== number).slice(0, MOST)
  return {
    name: 'Go to',
    rows: [
      toUserRow(number, known?.detail, outlook),
      {
        id: `rating ${number}`,
        kind: 'Rating',
        label: `#${number}`,
        action: { do: 'open', href: toRatingHref(number, outlook) },
      },
      ...others.map(({ user, detail }) => ({
        ...toUserRow(user, detail, outlook),
        isOld: isOutdated(users.isOld, String(user), String(number)),
      })),
    ],
    isOld: users.isOld,
    note: users.note,
  }
}

const toUserRow = (userId: number, detail: string | undefined, outlook: Outlook): Row => ({
  id: `user ${userId}`,
  kind: 'User',
  label: `#${userId}`,
  detail,
  action: { do: 'open', href: toOutlookHref(`/users/${userId}`, outlook) },
})

/** Symbols and pages that a bare word may name. */
export function selectWordSection(
  { typed }: Writing,
  { symbols }: Lookups,
  outlook: Outlook,
): Section {
  const rows = symbols.found.slice(0, MOST).map(
    ({ symbol, detail }): Row => ({
      id: `symbol ${symbol}`,
      kind: 'Symbol',
      label: symbol,
      detail,
      isOld: isOutdated(symbols.isOld, symbol, typed),
      action: { do: 'open', href: toOutlookHref(toSymbolHref(symbol), outlook) },
    }),
  )
  return { name: 'Go to', rows: [...rows, ...selectPageRows(typed, outlook)], isOld: symbols.isOld }
}
