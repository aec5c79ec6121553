import 'server-only'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { AccessRecords } from '#lib/access/records.ts'
import { loadJsonFile, readTextFile } from '#lib/files/json-file.ts'
import type { DatabaseAddress } from '#lib/store/address.ts'
import { connect, inTime, toStoreError } from '#lib/store/connection.ts'
import {
  createDocuments,
  createSharedDocuments,
  type Documents,
  type SharedDocuments,
} from '#lib/store/documents.ts'
import type { Lease } from '#lib/store/lease.ts'
import { migrateStore } from '#lib/store/schema.ts'

const secretDocument = z.object({ secret: z.string() })

export function createSharedRecords(documents: SharedDocuments): AccessRecords {
  const secret = documents.open('access.secret', secretDocument)
  return {
    open: (name, schema) => documents.open(`access.${name}`, schema),
    async keepSecret(made, isSound) {
      const known = await secret.load()
      if (known && isSound(known.secret)) return known.secret
      await secret.update((kept) => (kept && isSound(kept.secret) ? kept : { secret: made }))
      return (await secret.load())?.secret ?? made
    },
  }
}

const RECORDS = ['accounts', 'sessions', 'tokens'] as const

type CarriedAccess = Record<(typeof RECORDS)[number], number>

/** Null if there are none; existing shared accounts are kept. Throws AppError. */
export async function carryAccess(
  dir: string,
  { documents, lease }: { documents: Documents; lease: Lease },
): Promise<CarriedAccess | 'kept' | null> {
  const secret = (await readTextFile(join(dir, 'secret.key')))?.trim()
  if (!secret) return null
  const files = await Promise.all(
    RECORDS.map(async (name) => ({
      name,
      content: await loadJsonFile(toPath(dir, name), counted),
    })),
  )
  if (await documents.load('access.accounts')) return 'kept'
  // Accounts go last: their presence marks a complete copy.
  await documents.save('access.secret', JSON.stringify({ secret }), { lease })
  for (const { name, content } of files.toReversed()) {
    if (content) await documents.save(`access.${name}`, JSON.stringify(content), { lease })
  }
  const counts = files.map(({ name, content }) => [
    name,
    (content?.accounts ?? content?.records ?? []).length,
  ])
  return Object.fromEntries(counts) as CarriedAccess
}

const toPath = (dir: string, name: string) => join(dir, `${name}.json`)

const counted = z.looseObject({
  accounts: z.optional(z.array(z.unknown())),
  records: z.optional(z.array(z.unknown())),
})

/** Uses its own connection, so that work on ratings does not delay sign-ins. */
export type SharedAccess = {
  records: AccessRecords
  /** Throws AppError. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Throws AppError. */
export async function openSharedAccess(
  address: DatabaseAddress,
  applicationName: string,
): Promise<SharedAccess> {
  const sql = connect({ address, connections: 1, applicationName })
  const close = async () => await sql.end({ timeout: 1 })
  try {
    await inTime(sql, migrateStore(sql))
  } catch (cause) {
    await close()
    throw toStoreError(cause)
  }
  const documents = createSharedDocuments(createDocuments({ sql }))
  return { records: createSharedRecords(documents), refresh: documents.refresh, close }
}
