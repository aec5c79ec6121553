import type { ServiceEndpoint } from './service-script.ts'

/** A request as a service saw it. `at` in seconds since 1970; `status` is what it was answered with. */
export type SeenRequest = {
  /** null: an address that the specification does not know. */
  endpoint: ServiceEndpoint | null
  /** null: none was asked for by number. */
  page: number | null
  method: string
  headers: Headers
  at: number
  status: number
}

export type Seen = {
  /** In the order of their coming. */
  requests: SeenRequest[]
  count(endpoint?: ServiceEndpoint): number
  /** How many came in the last so many seconds. */
  countWithin(seconds: number): number
  /** The most that ever came within so many seconds. */
  mostWithin(seconds: number): number
  note(request: Request, endpoint: ServiceEndpoint | null): SeenRequest
}

/** Remembers the requests that a service gets. `now` in seconds since 1970. */
export function createSeen(now: () => number): Seen {
  const requests: SeenRequest[] = []
  return {
    requests,
    count: (endpoint) =>
      requests.filter((one) => endpoint === undefined || one.endpoint === endpoint).length,
    countWithin: (seconds) => requests.filter(({ at }) => at > now() - seconds).length,
    mostWithin: (seconds) =>
      Math.max(
        0,
        ...requests.map(
          (first, index) =>
            requests.slice(index).filter(({ at }) => at < first.at + seconds).length,
        ),
      ),
    note(request, endpoint) {
      const page = new URL(request.url).searchParams.get('page')
      const noted: SeenRequest = {
        endpoint,
        page: page === null ? null : Number(page),
        method: request.method,
        headers: new Headers(request.headers),
        at: now(),
        status: 0,
      }
      requests.push(noted)
      return noted
    },
  }
}
