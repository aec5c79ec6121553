import { UnknownRating } from '#components/rating/rating-absence.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'

export default function RatingNotFound() {
  return (
    <PageBody>
      <UnknownRating />
    </PageBody>
  )
}
