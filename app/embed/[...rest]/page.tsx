import { notFound } from 'next/navigation'

/** Anything under `/embed` may be framed, so unknown addresses must not reach the site layout. */
export default function NoEmbed() {
  notFound()
}
