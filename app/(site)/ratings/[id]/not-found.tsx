import { UnknownRating } from '#components/sheet/unknown-rating.tsx'
import { PageBody } from '#components/shell/page-body.tsx'

export default function RatingNotFound() {
  return (
    <PageBody>
      <UnknownRating />
    </PageBody>
  )
}
