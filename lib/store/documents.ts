import type * as z from 'zod/mini'
import type { SharedFile } from '#lib/files/json-file.ts'
import { type Database, type Transaction, toStoreError } from './connection.ts'
import { inTime } from './in-time.ts'
import { fenced, type Lease } from './lease.ts'
import { type Notice, tell } from './notices.ts'
import { transact } from './transaction.ts'

/** A text with a version, which is another one after each change; two are only ever told apart by it. */
export type Document = { version: number; content: string }

/** `lease`: saved only by who may sync. `notice`: what the nodes are told, `document` unless it is something else. */
export type SaveOptions = { lease?: Lease | undefined; notice?: Notice }

/** Texts with names in the shared database. Each call throws AppError where it cannot be reached. */
export type Documents = {
  load(name: string): Promise<Document | null>
  /** Of documents with the versions that are known (null: none), those that are otherwise now; null is gone. One statement. */
  loadChanged(known: Known): Promise<ReadonlyMap<string, Document | null>>
  save(name: string, content: string, options?: SaveOptions): Promise<void>
  /**
   * Replaces a text with what `change` returns, one node at a time. If `change` throws, the text stays as it was. `at` is the
   * time in seconds since 1970, by the clock of the database.
   */
  update(name: string, change: (content: string | null, at: number) => string): Promise<Document>
}

type Known = ReadonlyMap<string, number | null>

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
          await tell(transaction, notice)
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
            await tell(transaction, 'document')
            return { version, content }
          }),
      ),
  }
}

const toDocument = (version: number | null, content: string | null): Document | null =>
  version === null || content === null ? null : { version, content }

/** What the driver throws becomes a sentence; what the caller's own work throws stays as it is. */
async function inStore<T>(sql: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await inTime(sql, work())
  } catch (error) {
    throw isOfDriver(error) ? toStoreError(error) : error
  }
}

const isOfDriver = (error: unknown) => error instanceof Error && 'code' in error

/** A row of its own for a document that is missing, so that there is something to lock; it goes with the transaction. */
async function lock(
  transaction: Transaction,
  name: string,
): Promise<{ kept: Document | null; at: number }> {
  await transaction`
    insert into bellwether.document values (${name}, 0, '') on conflict (name) do nothing`
  const [row] = await transaction<Document[]>`
    select version, content from bellwether.document where name = ${name} for update`
  // Not in the statement above, which may wait for its lock after it has read the clock.
  const [clock] = await transaction<{ at: number }[]>`
    select floor(extract(epoch from clock_timestamp()))::float8 as at`
  if (!clock) throw new Error('the database did not tell the time')
  return { kept: row && row.version > 0 ? { ...row } : null, at: clock.at }
}

/**
 * A version is a time in microseconds, or one more than the last: where a database that lacks the last changes took the place
 * of another, its next change must not look like one of those.
 */
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

/** Documents of which each node holds a copy, so that reading one asks nobody. */
export type SharedDocuments = {
  /**
   * A document of JSON as a file that all nodes change. `load()` reads it once and then answers from memory, also while the
   * database is away; what other nodes changed is there after `refresh()`.
   */
  open<S extends z.ZodMiniType>(name: string, schema: S): SharedFile<z.output<S>>
  /** Reads what others changed in all of them, by one statement. Throws AppError where it cannot be read. */
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
        // What this node changed meanwhile is newer than what was read.
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
