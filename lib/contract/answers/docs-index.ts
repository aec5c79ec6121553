import * as z from 'zod/mini'

const docsEntry = z.object({
  kind: z.enum(['word', 'docs']),
  label: z.string(),
  detail: z.string(),
  also: z.string(),
  href: z.string(),
})
export type DocsEntry = z.infer<typeof docsEntry>

export const docsIndex = z.array(docsEntry)
