export const Star = () => (
  <svg viewBox="0 0 16 16" className="star" aria-hidden>
    <path d="m8 1.9 1.85 3.95 4.3.5-3.2 2.95.87 4.25L8 11.4l-3.82 2.15.87-4.25-3.2-2.95 4.3-.5z" />
  </svg>
)
