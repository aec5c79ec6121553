/** The parameters of a page as the server is given them, in the form that every query is read from. */
export function toUrlParams(given: Record<string, string | string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one]),
  )
  return new URLSearchParams(pairs)
}
