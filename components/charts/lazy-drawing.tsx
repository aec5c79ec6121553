'use client'

import {
  type ComponentType,
  createElement,
  type SVGAttributes,
  startTransition,
  use,
  useEffect,
  useRef,
  useState,
} from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'

type Drawing<Props> = {
  load: () => Promise<ComponentType<Props>>
  loading: Promise<ComponentType<Props>> | null
  loaded: ComponentType<Props> | null
  what: string | undefined
}

/** `what` names the drawing in the notice of a failure; without it, nothing is drawn then. */
export const lazyDrawing = <Props extends object>(
  load: Drawing<Props>['load'],
  what?: string,
): Drawing<Props> => ({ load, loading: null, loaded: null, what })

type LazyDrawingProps<Props> = {
  drawing: Drawing<Props>
  drawn: Props
  /** What the picture shows, whatever its size: the server's markup is valid for the first value. */
  of: unknown
  /** Element around the drawing. */
  as?: 'div' | 'span' | 'svg'
  host?: Pick<
    SVGAttributes<SVGElement>,
    'className' | 'preserveAspectRatio' | 'role' | 'style' | 'viewBox'
  >
}

/** Without a Suspense boundary, React waits: it would send a large boundary as a hidden part. */
function ServerDrawing<Props extends object>(props: LazyDrawingProps<Props>) {
  const { drawing, drawn, as = 'div', host } = props
  drawing.loading ??= drawing.load()
  return createElement(as, host, createElement(use(drawing.loading), drawn))
}

/** React leaves the children of such an element alone while it hydrates. */
const KEPT = {
  suppressHydrationWarning: true,
  dangerouslySetInnerHTML: { __html: '' },
}

type Failure = { error: unknown; isKept: boolean }

function BrowserDrawing<Props extends object>(props: LazyDrawingProps<Props>) {
  const { drawing, drawn, of, as = 'div', host } = props
  const ref = useRef<Element>(null)
  const [first] = useState(of)
  const [Loaded, setLoaded] = useState(() => drawing.loaded)
  const [failure, setFailure] = useState<Failure | null>(null)
  const isFirst = of === first
  const start = (isKept: boolean) =>
    drawing.load().then(
      (found) => {
        drawing.loaded = found
        startTransition(() => setLoaded(() => found))
      },
      (error: unknown) => setFailure({ error, isKept }),
    )
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once, and again for another picture
  useEffect(() => {
    if (Loaded) return
    const isKept = isFirst && ref.current?.hasChildNodes() === true
    if (isKept) return whenIdle(() => start(isKept))
    start(isKept)
  }, [Loaded, isFirst])
  if (Loaded) return createElement(as, { ...host, key: 'drawn' }, createElement(Loaded, drawn))
  const isMissing = failure !== null && !failure.isKept
  if (isMissing && drawing.what !== undefined) {
    return (
      <FailureNotice
        // Above the overlay that reads the chart.
        className="z-10"
        error={failure.error}
        onRetry={() => start(false)}
        what={drawing.what}
      />
    )
  }
  return createElement(as, { ...host, ...KEPT, ref, key: isMissing ? 'missing' : 'kept' })
}

/**
 * A drawing whose module the browser loads after the page. The server renders it; its markup stays,
 * not hydrated, until the module has loaded.
 */
export const LazyDrawing = typeof window === 'undefined' ? ServerDrawing : BrowserDrawing

/** Waits for `load`, which the script would delay. Returns a function that cancels. */
function whenIdle(start: () => void): () => void {
  let cancel = () => {}
  const wait = () => {
    cancel = requestIdle(start)
  }
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
  return () => {
    window.removeEventListener('load', wait)
    cancel()
  }
}

const IDLE_WITHIN_MS = 2000

function requestIdle(start: () => void): () => void {
  // Safari lacks it.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(start, 0)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(start, { timeout: IDLE_WITHIN_MS })
  return () => cancelIdleCallback(request)
}
