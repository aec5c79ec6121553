import 'server-only'
import * as z from 'zod/mini'
import type { AccessRecords } from '#lib/access/records.ts'
import type { DatabaseAddress } from '#lib/store/address.ts'
import { connect, toStoreError } from '#lib/store/connection.ts'
import {
  createDocuments,
  createSharedDocuments,
  type SharedDocuments,
} from '#lib/store/documents.ts'
import { inTime } from '#lib/store/in-time.ts'
import { migrateStore } from '#lib/store/schema.ts'

const secretDocument = z.object({ secret: z.string() })

/** The records of who may come in, in documents that all nodes share: whom one lets in, all do. */
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

/** The records over a connection of their own: what a node does with ratings holds up nobody who signs in. */
export type SharedAccess = {
  records: AccessRecords
  /** Reads what others have changed, by one statement. Throws AppError. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Opens them, the tables made where they are missing. Throws AppError where the database cannot be used. */
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
