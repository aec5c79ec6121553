import type { QueryClient } from '@tanstack/react-query'
import { readSeen } from '#lib/contract/seen.ts'
import { statusSummaryOptions } from './query-options.ts'
import { type CookieJar, writeSeen } from './seen-cookie.ts'

/**
 * Has the browser say, where several nodes hold the ratings, up to which generation it was shown them: each next node answers
 * with no older one, if it can be had soon. Gives what ends it.
 */
export function keepSeen(client: QueryClient, jar: CookieJar = document): () => void {
  const { queryKey } = statusSummaryOptions()
  let noted: number | null = null
  const note = () => {
    const archive = client.getQueryData(queryKey)?.archive
    if (!archive?.shared || archive.generation === noted) return
    noted = archive.generation
    // Another tab may have seen more. What is not more is not written anew: else it would never be forgotten.
    if (noted > (readSeen(jar.cookie) ?? -1)) writeSeen(noted, jar)
  }
  note()
  return client.getQueryCache().subscribe(note)
}
