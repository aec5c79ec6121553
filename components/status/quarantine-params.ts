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
