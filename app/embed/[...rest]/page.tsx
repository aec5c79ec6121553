import { notFound } from 'next/navigation'

/** Every other address under `/embed` may be framed too, so it must not come to the page with the header. */
export default function NoEmbed() {
  notFound()
}
