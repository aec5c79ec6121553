import type * as z from 'zod/mini'
import type { SharedFile } from '#lib/files/json-file.ts'
import { type Database, inTime, type Transaction, toStoreError } from './connection.ts'
import { fenced, type Lease } from './lease.ts'
import { type Notice, notify } from './notices.ts'
import { transact } from './transaction.ts'

/** Compare versions for equality only. */
export type Document = { version: number; content: string }

/** `lease`: saves only while it is held. `notice`: defaults to `document`. */
type SaveOptions = { lease?: Lease | undefined; notice?: Notice }

/** Throws AppError if the database is unreachable. */
export type Documents = {
  load(name: string): Promise<Document | null>
  /** What differs from the known versions; null if deleted. */
  loadChanged(revisions: KnownRevisions): Promise<ReadonlyMap<string, Document | null>>
  save(name: string, content: string, options?: SaveOptions): Promise<void>
  /** Serialized across nodes. `at`: Unix seconds, database clock. */
  update(name: string, change: (content: string | null, at: number) => string): Promise<Document>
}

type KnownRevisions = ReadonlyMap<string, number | null>

export function createDocuments({ sql }: { sql: Database }): Documents {
  return {
    load: (name) =>
      inStore(sql, async () => {
        const [found] = await sql<Document[]>`
          select version, content from bellwether.document where name = ${name}`
        return found ? { ...found } : null
      }),
    loadChanged: (known) =>
      inStore(sql, async () => {
        const wanted = [...known].map(([name, version]) => ({ name, version }))
        const rows = await sql<{ name: string; version: number | null; content: string | null }[]>`
          select name, document.version, content
          from json_to_recordset(${JSON.stringify(wanted)}::text::json) as known (name text, version bigint)
          left join bellwether.document using (name)
          where document.version is distinct from known.version`
        return new Map(
          rows.map(({ name, version, content }) => [name, toDocument(version, content)]),
        )
      }),
    save: (name, content, { lease, notice = 'document' } = {}) =>
      inStore(sql, async () => {
        const work = async (transaction: Transaction) => {
          await write(transaction, name, content)
          await notify(transaction, notice)
        }
        await (lease ? fenced(sql, lease, work) : transact(sql, work))
      }),
    update: (name, change) =>
      inStore(
        sql,
        async () =>
          await transact(sql, async (transaction) => {
            const { kept, at } = await lock(transaction, name)
            const content = change(kept?.content ?? null, at)
            if (kept && kept.content === content) return kept
            const version = await write(transaction, name, content)
            await notify(transaction, 'document')
            return { version, content }
          }),
      ),
  }
}

const toDocument = (version: number | null, content: string | null): Document | null =>
  version === null || content === null ? null : { version, content }

async function inStore<T>(sql: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await inTime(sql, work())
  } catch (error) {
    throw isOfDriver(error) ? toStoreError(error) : error
  }
}

const isOfDriver = (error: unknown) => error instanceof Error && 'code' in error

/** Inserts a missing row to lock it. */
async function lock(
  transaction: Transaction,
  name: string,
): Promise<{ kept: Document | null; at: number }> {
  await transaction`
    insert into bellwether.document values (${name}, 0, '') on conflict (name) do nothing`
  const [row] = await transaction<Document[]>`
    select version, content from bellwether.document where name = ${name} for update`
  // Separate, since the statement above may wait for its lock after reading the clock.
  const [clock] = await transaction<{ at: number }[]>`
    select floor(extract(epoch from clock_timestamp()))::float8 as at`
  if (!clock) throw new Error('the database did not tell the time')
  return { kept: row && row.version > 0 ? { ...row } : null, at: clock.at }
}

/** Time-based: versions must not repeat after a failover that lost writes. */
async function write(transaction: Transaction, name: string, content: string): Promise<number> {
  const [row] = await transaction<{ version: number }[]>`
    insert into bellwether.document as kept
    values (${name}, (1000000 * extract(epoch from clock_timestamp()))::bigint, ${content})
    on conflict (name) do update
    set version = greatest(kept.version + 1, excluded.version), content = excluded.content
    returning version`
  if (!row) throw new Error(`the document ${name} was not written`)
  return row.version
}

export type SharedDocuments = {
  /** Served from memory; `refresh()` loads changes by other nodes. */
  open<S extends z.ZodMiniType>(name: string, schema: S): SharedFile<z.output<S>>
  /** Throws AppError. */
  refresh(): Promise<void>
}

export function createSharedDocuments(documents: Documents): SharedDocuments {
  const held = new Map<string, { document: Document | null }>()

  const read = async (name: string) => {
    const found = held.get(name) ?? { document: await documents.load(name) }
    if (!held.has(name)) held.set(name, found)
    return held.get(name) ?? found
  }
  return {
    open: (name, schema) => createSharedDocument({ name, schema, documents, held, read }),
    async refresh() {
      if (held.size === 0) return
      const before = new Map(held)
      const known = new Map(
        [...before].map(([name, { document }]) => [name, document?.version ?? null]),
      )
      for (const [name, document] of await documents.loadChanged(known)) {
        // A local write during the read is newer.
        if (held.get(name) === before.get(name)) held.set(name, { document })
      }
    },
  }
}

type SharedDocumentDeps<S> = {
  name: string
  schema: S
  documents: Documents
  held: Map<string, { document: Document | null }>
  read: (name: string) => Promise<{ document: Document | null }>
}

function createSharedDocument<S extends z.ZodMiniType>(
  deps: SharedDocumentDeps<S>,
): SharedFile<z.output<S>> {
  const { name, schema, documents, held, read } = deps
  let parsed: { of: object; content: z.output<S> | null } | null = null
  const parse = (text: string): z.output<S> => {
    try {
      return schema.parse(JSON.parse(text))
    } catch (cause) {
      throw new Error(`The document ${name} of the shared database is damaged.`, { cause })
    }
  }
  return {
    async load() {
      const found = await read(name)
      if (parsed?.of !== found) {
        const content = found.document && parse(found.document.content)
        parsed = { of: found, content }
      }
      return parsed.content
    },
    async update(change) {
      const document = await documents.update(name, (text, at) => {
        const kept = text === null ? null : parse(text)
        const content = change(kept, at)
        return text !== null && content === kept ? text : JSON.stringify(content)
      })
      held.set(name, { document })
    },
  }
}
