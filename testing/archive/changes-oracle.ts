import type { Changes } from '#lib/contract/answers/changes.ts'
import { MOVES } from '#lib/contract/moves.ts'
import { notableOf } from './league-oracle.ts'
import { movesOf } from './moves-oracle.ts'
import { compareBy, groupBy, isActive, keyOf, nameOf, type OracleRow } from './oracle.ts'

const LINES = 10

export function changesOf(
  all: readonly OracleRow[],
  { from, to }: { from: number; to: number },
): Changes {
  const span = { from: from - 1, to: to - 1 }
  const isWithin = (instant: number) => instant >= from && instant < to
  const posted = all.filter((row) => isWithin(row.created_at))
  const symbols = [...groupBy(all, keyOf)].map(([key, own]) => ({
    key,
    symbol: nameOf(own),
    moves: movesOf(own, span),
    active: own.filter((row) => isActive(row, span.to)).length,
  }))
  const eventsOf = (moves: Changes['moves'][number] | null, kind: string) =>
    moves?.parts.find((part) => part.kind === kind)?.events ?? 0
  const notable = notableOf(all, {
    at: span.to,
    since: from,
    lapsingBy: to + (to - from) - 1,
    lines: LINES,
  })
  const firsts = [...groupBy(all, (row) => String(row.user_id))].map(([, own]) =>
    Math.min(...own.map((row) => row.created_at)),
  )
  const countActive = (at: number) => all.filter((row) => isActive(row, at)).length
  return {
    from,
    to,
    ratings: posted.length,
    users: new Set(posted.map((row) => row.user_id)).size,
    symbols: new Set(posted.map(keyOf)).size,
    new_users: firsts.filter(isWithin).length,
    active_from: countActive(span.from),
    active_to: countActive(span.to),
    events: MOVES.map((kind) => ({
      kind,
      events: symbols.reduce((sum, { moves }) => sum + eventsOf(moves, kind), 0),
      symbols: symbols.filter(({ moves }) => eventsOf(moves, kind) > 0).length,
    })).filter(({ events }) => events > 0),
    moves: notable.moves.flatMap(
      ({ symbol }) => symbols.find((one) => one.symbol === symbol)?.moves ?? [],
    ),
    minds: mindsOf(all.filter((row) => isWithin(row.created_at))),
    lapsed: symbols
      .map(({ key, symbol, moves, active }) => ({
        key,
        symbol,
        active,
        events: eventsOf(moves, 'lapsed') + eventsOf(moves, 'vanished'),
      }))
      .filter(({ events }) => events > 0)
      .sort(
        compareBy([
          [(line) => line.events, 'desc'],
          [(line) => line.key, 'asc'],
        ]),
      )
      .slice(0, LINES)
      .map(({ symbol, events, active }) => ({ symbol, events, active })),
    lapsing_by: to + (to - from),
    lapsing: notable.lapsing,
    contested: notable.contested,
  }
}

const mindsOf = (posted: readonly OracleRow[]): Changes['minds'] =>
  posted
    .filter((row) => row.effectiveUntil > row.created_at)
    .flatMap(({ id, user_id, symbol, replaced: before, rating, created_at }) =>
      before === null || before === rating
        ? []
        : [{ id, user_id, symbol, before, rating, created_at }],
    )
    .sort(
      compareBy([
        [(row) => Math.abs(row.rating - row.before), 'desc'],
        [(row) => row.created_at, 'desc'],
        [(row) => row.id, 'desc'],
      ]),
    )
    .slice(0, LINES)
