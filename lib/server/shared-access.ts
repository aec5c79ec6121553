import 'server-only'
import * as z from 'zod/mini'
import type { AccessRecords } from '#lib/access/records.ts'
import type { SharedDocuments } from '#lib/store/documents.ts'

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
