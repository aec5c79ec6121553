import { Button } from '#components/ui/button.tsx'

/** The archive knows more than what is shown. Nothing moves before the reader asks for it. */
export function NewerRatings({ isShown, onShow }: { isShown: boolean; onShow: () => void }) {
  return (
    <span role="status" className="flex h-[26px] items-center">
      {isShown && (
        <Button variant="quiet" size="small" onClick={onShow}>
          <span aria-hidden className="dot dot-busy" />
          Newer ratings have arrived · <span className="text-accent">Show</span>
        </Button>
      )}
    </span>
  )
}
