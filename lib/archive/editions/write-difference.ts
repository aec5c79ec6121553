import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import {
  DIFFERENCE_KINDS,
  type DifferenceKind,
  type KindCounts,
  NO_DIFFERENCE,
} from '#lib/contract/lists/edition-differences.ts'
import { MASK_BYTE, MASK_LENGTH_MIN } from '#lib/contract/masked-key.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  appendTexts,
  dropTable,
  type EditionFile,
  findPlainLines,
  loadLines,
  toCells,
  toKeyed,
  toPlace,
  toPlaces,
  toText,
} from './edition-tables.ts'
import { type EditionJoin, type JoinOptions, withEditionJoin } from './join-editions.ts'

type EarlierEdition = EditionFile & { ids: { lowest: number; highest: number } | null }

type WriteOptions = JoinOptions & {
  path: string
  earlier: readonly EarlierEdition[]
  /** Seconds. Ratings posted later cannot have vanished before. */
  fetchedAt: number
  selectMarked: (ids: readonly number[]) => Promise<ReadonlySet<number>>
}

export async function writeDifference(options: WriteOptions): Promise<KindCounts> {
  return await withEditionJoin(options, async (join) => {
    const { db, interruptible } = join.engine.writer
    const run = async <T>(work: () => Promise<T>) => await interruptible(options.signal, work)
    await run(async () => await createDifference(db, join))
    for (const edition of options.earlier) await markReturned(join, edition, options)
    await markVanishedBefore(join, options)
    return await run(async () => {
      await nameFields(join)
      await addSymbolKeys(join.engine.writer, join)
      await copy(db, join, options.path)
      return await countKinds(db)
    })
  })
}

const toKindNo = (kind: DifferenceKind) => sql.lit(DIFFERENCE_KINDS.indexOf(kind))

const VOTES = ['tally_agree', 'tally_disagree', 'tally_comment']
const END = ['expired_at', 'expired_at_date']

async function createDifference(db: Kysely<Tables>, join: EditionJoin): Promise<void> {
  const { before, after, shared } = join
  const isChanged = (names: readonly string[]) => sql`(
    list_select(before_cells, ${toPlaces(before, names)}) <> list_select(after_cells, ${toPlaces(after, names)}))`
  const isEnd = isChanged(shared.filter((name) => END.includes(name)))
  const isOther = isChanged(shared.filter((name) => ![...VOTES, ...END].includes(name)))
  const [was, is] = [toEnd(toBefore(join, 'expired_at')), toEnd(toAfter(join, 'expired_at'))]
  await sql`
    create table difference as
    select pair_no, key, row_number() over (order by strlen(key), key) - 1 as row_no, kind_no
    from (
      select pair_no, key,
        case
          when after_cells is null then ${toKindNo('vanished')}
          when before_cells is null then ${toKindNo('new')}
          when ${isOther} then ${toKindNo('edited')}
          when not ${isEnd} then ${toKindNo('votes')}
          when ${is} < ${was} then ${toKindNo('ended_early')}
          else ${toKindNo('edited')}
        end as kind_no
      from ${toSplitPairs(join)} as split
    ) as judged`.execute(db)
}

const toSplitPairs = ({ before, after }: EditionJoin) => sql`(
  select rowid as pair_no, key, before_line, after_line,
    ${toCells(before, sql`before_line`)} as before_cells,
    ${toCells(after, sql`after_line`)} as after_cells
  from pair)`

const toDiffering = (join: EditionJoin) => sql`(
  select row_no, kind_no, before_line, after_line, before_cells, after_cells
  from ${toSplitPairs(join)} as split join difference using (pair_no)) as differing`

const toBefore = ({ before }: EditionJoin, name: string) =>
  sql<string>`before_cells[${sql.lit(toPlace(before, name))}]`
const toAfter = ({ after }: EditionJoin, name: string) =>
  sql<string>`after_cells[${sql.lit(toPlace(after, name))}]`

/** Seconds; an invalid end sorts last. */
const toEnd = (cell: RawBuilder<string>) => sql`coalesce(nullif(
  case when regexp_full_match(${cell}, '[+]?[0-9]{1,15}') then cast(${cell} as bigint) end, 0),
  9223372036854775807)`

async function markReturned(
  { engine }: EditionJoin,
  { path, rows, ids }: EarlierEdition,
  { readRecords, signal }: WriteOptions,
): Promise<void> {
  const { db, interruptible } = engine.writer
  const mayHold = ids
    ? sql`(case when regexp_full_match(key, '[0-9]{1,15}')
        then cast(key as bigint) between ${sql.lit(ids.lowest)} and ${sql.lit(ids.highest)} else true end)`
    : sql`true`
  const isNew = sql`kind_no = ${toKindNo('new')}`
  const isRead = await interruptible(signal, async () => {
    const found = await sql`select 1 from difference where ${isNew} and ${mayHold} limit 1`.execute(
      db,
    )
    return found.rows.length > 0
  })
  if (!isRead) return
  const lines =
    (await findPlainLines(engine.writer, { path, rows, signal })) ??
    (await loadLines(engine.writer, 'earlier_line', { path, readRecords, signal }))
  await interruptible(signal, async () => {
    await sql`
      update difference set kind_no = ${toKindNo('returned')}
      where ${isNew} and key in (select key from ${toKeyed(lines, ['id'])} as earlier)`.execute(db)
    await dropTable(db, 'earlier_line')
  })
}

const BATCH = 2048

const toSafe = (text: RawBuilder<string>) => sql`case
  when regexp_full_match(${text}, '[+-]?[0-9]{1,16}') and abs(cast(${text} as bigint)) <= ${sql.lit(Number.MAX_SAFE_INTEGER)}
  then cast(${text} as bigint) end`

async function markVanishedBefore(join: EditionJoin, options: WriteOptions): Promise<void> {
  const { db, interruptible } = join.engine.writer
  const { signal, fetchedAt, selectMarked } = options
  const [id, createdAt] = [toAfter(join, 'id'), toAfter(join, 'created_at')]
  const selectBatch = async (last: number) => {
    const { rows } = await interruptible(
      signal,
      async () =>
        await sql<{ row_no: number; id: number }>`
          select row_no, ${toSafe(id)} as id from ${toDiffering(join)}
          where kind_no = ${toKindNo('new')} and row_no > ${sql.lit(last)}
            and ${toSafe(id)} is not null and ${toSafe(createdAt)} <= ${sql.lit(fetchedAt)}
          order by row_no limit ${sql.lit(BATCH)}`.execute(db),
    )
    return rows
  }
  let last = -1
  for (;;) {
    const batch = await selectBatch(last)
    const end = batch.at(-1)
    if (!end) return
    last = end.row_no
    const marked = await selectMarked(batch.map((one) => one.id))
    const returned = batch.filter((one) => marked.has(one.id))
    if (returned.length === 0) continue
    await sql`
      update difference set kind_no = ${toKindNo('returned')}
      where row_no in (${sql.join(returned.map(({ row_no }) => sql.lit(row_no)))})`.execute(db)
  }
}

async function nameFields({ engine, shared }: EditionJoin): Promise<void> {
  const { db, connection } = engine.writer
  await sql`create table field (field text)`.execute(db)
  await appendTexts(connection, 'field', shared)
}

const MASKED = sql.lit(`\\x${MASK_BYTE.toString(16)}{${MASK_LENGTH_MIN},}`)
const SHOWN_LENGTH = 500

function toShown(text: RawBuilder<unknown>): RawBuilder<string> {
  const mask = sql`repeat(chr(${sql.lit(MASK_BYTE)}), ${sql.lit(MASK_LENGTH_MIN)})`
  const readable = sql`case when contains(${text}, ${mask}) then regexp_replace(${text}, ${MASKED}, '[key]', 'g') else ${text} end`
  return sql<string>`case when strlen(${text}) > ${sql.lit(SHOWN_LENGTH)} and length(${readable}) > ${sql.lit(SHOWN_LENGTH)}
    then left(${readable}, ${sql.lit(SHOWN_LENGTH)}) || '…' else ${readable} end`
}

function toNewest(join: EditionJoin, name: string): RawBuilder<string> {
  const newest = sql`coalesce(case when after_cells is null then ${toBefore(join, name)} else ${toAfter(join, name)} end, '')`
  return toShown(toText(join.after, newest))
}

const toNewestLine = (measure: RawBuilder<unknown>) =>
  sql`${measure}(coalesce(after_line, before_line))`

/** JavaScript and DuckDB uppercase non-ASCII letters differently. */
async function addSymbolKeys({ db, connection }: Session, join: EditionJoin): Promise<void> {
  const symbol = toNewest(join, 'symbol')
  await sql`create table other_symbol (symbol text)`.execute(db)
  await sql`create table other_key (symbol_key text)`.execute(db)
  const { rows } = await sql<{ quoted: string }>`
    select distinct '"' || ${symbol} as quoted from ${toDiffering(join)}
    where ${toNewestLine(sql`strlen`)} > ${toNewestLine(sql`length`)} and strlen(${symbol}) > length(${symbol})`.execute(
    db,
  )
  const symbols = rows.map(({ quoted }) => quoted.slice(1))
  await appendTexts(connection, 'other_symbol', symbols)
  await appendTexts(connection, 'other_key', symbols.map(toSymbolKey))
}

const toWhole = (text: RawBuilder<string>) => sql`case
  when abs(try_cast(${text} as bigint)) <= ${sql.lit(Number.MAX_SAFE_INTEGER)}
  then try_cast(${text} as bigint) end`

async function copy(db: Kysely<Tables>, join: EditionJoin, path: string): Promise<void> {
  const { before, after, shared } = join
  const changes = shared.map((name, index) => {
    const cells = [sql`before := ${toBefore(join, name)}`, sql`after := ${toAfter(join, name)}`]
    return sql`struct_pack(field_no := ${sql.lit(index)}, ${sql.join(cells)})`
  })
  const whole = (name: string) => sql`${toWhole(toNewest(join, name))} as ${sql.ref(name)}`
  await sql`
    copy (
      select row_no, cast(nth as integer) as nth, cast(kind_no as integer) as kind_no, id_text, rating.symbol,
        coalesce(symbol_key, upper(rating.symbol)) as symbol_key, prediction, field,
        ${toShown(toText(before, sql`change.before`))} as before,
        ${toShown(toText(after, sql`change.after`))} as after,
        id, user_id, rating, created_at
      from (
        select *, unnest(case when len(changes) = 0 then [null] else changes end) as change,
          generate_subscripts(case when len(changes) = 0 then [null] else changes end, 1) - 1 as nth
        from (
          select row_no, kind_no, ${toNewest(join, 'id')} as id_text, ${toNewest(join, 'symbol')} as symbol,
            ${toNewest(join, 'prediction')} as prediction,
            ${sql.join(['id', 'user_id', 'rating', 'created_at'].map(whole))},
            case when before_cells is null or after_cells is null then []
              else list_filter([${sql.join(changes)}], lambda one: one.before <> one.after) end as changes
          from ${toDiffering(join)}
        ) as listed
      ) as rating
        left join (select rowid as field_no, field from field) as named on named.field_no = change.field_no
        left join (
          select symbol, symbol_key from other_symbol positional join other_key
        ) as keyed on keyed.symbol = rating.symbol
    ) to ${sql.lit(path)} (format parquet, compression zstd, row_group_size 61440)`.execute(db)
}

async function countKinds(db: Kysely<Tables>): Promise<KindCounts> {
  const { rows } = await sql<{ kind_no: number; ratings: number }>`
    select kind_no, count(*) as ratings from difference group by kind_no`.execute(db)
  const kinds = { ...NO_DIFFERENCE }
  for (const { kind_no, ratings } of rows) {
    const kind = DIFFERENCE_KINDS[kind_no]
    if (kind) kinds[kind] = ratings
  }
  return kinds
}
