import type { Metadata } from 'next'
import { notFound } from 'next/navigation'

export const metadata: Metadata = { title: 'Not found' }

/** Without this route, Next.js sends the not-found layout along with every page. */
export default function Page() {
  notFound()
}
