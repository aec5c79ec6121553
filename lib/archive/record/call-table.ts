import { sql } from 'kysely'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import { pricedTable, windowTable } from './window-table.ts'

export const callTable = (horizon: Horizon) => sql.table(`record.call_${horizon}`)

/** Requires the horizon's windows. */
export async function writeCallTable({ db }: Session, horizon: Horizon): Promise<void> {
  await sql`
    create or replace table ${callTable(horizon)} as
    select id, user_id, symbol_key, rating, prediction_value, created_at, first_day, entry_day,
      exit_day, known_day, entry_close, exit_close, gain, benchmark, gain - benchmark as excess,
      cast(case when rating >= 4 then 1 + side when rating <= 2 then 1 - side end as tinyint) as hit
    from rating
    left join ${pricedTable(horizon)} as priced using (symbol_key)
    left join ${windowTable(horizon)} as entered
      on entered.code = priced.code and entered.day = floor(created_at / 86400)`.execute(db)
}
