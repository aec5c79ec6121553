import type { QueryClient } from '@tanstack/react-query'
import { readSeen } from '#lib/contract/seen.ts'
import { statusSummaryOptions } from './query-options.ts'
import { type CookieJar, writeSeen } from './seen-cookie.ts'

/** Keeps other nodes from answering with an older generation. */
export function keepSeen(client: QueryClient, jar: CookieJar = document): () => void {
  const { queryKey } = statusSummaryOptions()
  let noted: number | null = null
  const note = () => {
    const archive = client.getQueryData(queryKey)?.archive
    if (!archive?.shared || archive.generation === noted) return
    noted = archive.generation
    // Other tabs may have seen more. Never renews an equal value, which would not expire.
    if (noted > (readSeen(jar.cookie) ?? -1)) writeSeen(noted, jar)
  }
  note()
  return client.getQueryCache().subscribe(note)
}
