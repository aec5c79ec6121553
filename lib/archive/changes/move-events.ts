import { sql } from 'kysely'
import { MOVES, type MoveKind } from '#lib/contract/moves.ts'

/** Excludes `from`, includes `to`; seconds since 1970. */
export type Span = { from: number; to: number }

type Of = Span & { keys: readonly string[] | null }

const LIVED = ({ keys, from, to }: Of) => sql`
  select id, user_id, symbol_key, created_at, effective_until,
    cast(rating as integer) as rating, cast(prediction_value as decimal(38, 6)) as prediction_value,
    previous_created_at is null as is_first,
    coalesce(effective_until = vanished_at, false)
      and coalesce(effective_until <> nullif(expired_at, 0), true) as has_vanished,
    lead(created_at) over own as next_at,
    lag(effective_until) over own as before_until,
    lag(rating) over own as before_rating,
    lag(cast(prediction_value as decimal(38, 6))) over own as before_prediction
  from rating
  where effective_until > created_at and effective_until > ${from} and created_at <= ${to}
    ${keys === null ? sql`` : sql`and symbol_key in (${sql.join(keys)})`}
  window own as (
    partition by ${keys?.length === 1 ? sql`user_id` : sql`symbol_key, user_id`}
    order by created_at, id
  )`

export const kindOf = (kind: MoveKind) => sql.lit(MOVES.indexOf(kind))

/** `phase` 0 (ends) precedes beginnings of the same second. */
export const moveEvents = (of: Of) => sql`
  with lived as materialized (${LIVED(of)})
  select symbol_key, created_at as t, 1 as phase, id,
    case
      when took_place and rating > before_rating then ${kindOf('upgraded')}
      when took_place and rating < before_rating then ${kindOf('downgraded')}
      when took_place then ${kindOf('reiterated')}
      when is_first then ${kindOf('initiated')}
      else ${kindOf('returned')} end as kind,
    case when took_place then 0 else 1 end as more,
    rating - case when took_place then before_rating else 0 end as rating,
    prediction_value - case when took_place then before_prediction else 0 end as prediction
  from (
    select *, coalesce(before_until = created_at, false) as took_place
    from lived
    where created_at > ${of.from}
  ) as begun
  union all
  select symbol_key, effective_until, 0, id,
    case when has_vanished then ${kindOf('vanished')} else ${kindOf('lapsed')} end,
    -1, -rating, -prediction_value
  from lived
  where effective_until <= ${of.to} and coalesce(next_at <> effective_until, true)`
