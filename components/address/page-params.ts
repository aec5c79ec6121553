/** The parameters of a page as the server is given them, in the form that every query is read from. */
export function toUrlParams(given: Record<string, string | string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one]),
  )
  return new URLSearchParams(pairs)
}

/** A part of an address as it was meant, or as it stands where it is no proper encoding. */
export function toPathText(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const PER_PAGE = 10

/**
 * What is asked of the quarantine, out of the page's address; with a change, what the address is to say then. Another
 * reason begins at its first page.
 */
export function toQuarantineParams(
  address: URLSearchParams,
  change?: { reason?: string; page?: number },
): URLSearchParams {
  const reason = change?.reason ?? address.get('reason') ?? ''
  const page = change ? (change.page ?? 1) : toPage(address.get('page'))
  const params = new URLSearchParams()
  if (reason !== '') params.set('reason', reason)
  if (page > 1) params.set('page', String(page))
  if (!change) params.set('per_page', String(PER_PAGE))
  return params
}

/** What is no page is the first one. */
const toPage = (text: string | null) => (/^[1-9]\d{0,6}$/.test(text ?? '') ? Number(text) : 1)
