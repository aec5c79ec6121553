import { notFound } from 'next/navigation'

/** Anything under `/embed` may be framed and must not reach the site layout. */
export default function NoEmbed() {
  notFound()
}
