type PageStep = { kind: 'page'; number: number } | { kind: 'gap'; after: number }

/** The pages that a pager names: the first, the last, and the neighbours of the one shown, with gaps between. */
export function selectPages(number: number, pages: number): PageStep[] {
  const low = Math.max(1, Math.min(number - 1, pages - 2))
  const high = Math.min(pages, Math.max(number + 1, 3))
  const named = new Set([1, pages])
  for (let page = low; page <= high; page += 1) named.add(page)
  const steps: PageStep[] = []
  let previous = 0
  for (const page of [...named].sort((a, b) => a - b)) {
    if (page - previous === 2) steps.push({ kind: 'page', number: page - 1 })
    else if (page - previous > 2) steps.push({ kind: 'gap', after: previous })
    steps.push({ kind: 'page', number: page })
    previous = page
  }
  return steps
}
