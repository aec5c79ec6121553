import type { Metadata } from 'next'
import { notFound } from 'next/navigation'

export const metadata: Metadata = { title: 'Not found' }

/**
 * Every address that is none of ours, in the frame of all pages. Without it the framework would send that frame, with
 * what it says of the sync, a second and a third time along with every page, in case that it is not found.
 */
export default function Page() {
  notFound()
}
