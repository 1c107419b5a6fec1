// Sign that is drawn with strokes in a square of 20 by 20.

export const StrokeIcon = ({ shape }: { readonly shape: string }) => (
  <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" class="icon">
    <path d={shape} />
  </svg>
)
