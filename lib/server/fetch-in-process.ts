import 'server-only'
import { connection } from 'next/server'
import type { FetchApi } from '#lib/client/fetch-api.ts'
import { answerRequest } from './mount.ts'

/** Asks the API where a page is rendered: the same function that the routes mount, without a socket between. */
export const fetchInProcess: FetchApi = async (path, init) => {
  // Never at build: what a page shows is of the moment that it is asked.
  await connection()
  return await answerRequest(
    new Request(new URL(path, 'http://in-process'), { signal: init?.signal }),
  )
}
