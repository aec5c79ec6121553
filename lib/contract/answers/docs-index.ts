import * as z from 'zod/mini'

/** A word of the glossary, a document, or a heading of one. `also` are words that people say for it. */
const docsEntry = z.object({
  kind: z.enum(['word', 'docs']),
  label: z.string(),
  detail: z.string(),
  also: z.string(),
  href: z.string(),
})
export type DocsEntry = z.infer<typeof docsEntry>

/** Glossary words first. */
export const docsIndex = z.array(docsEntry)
