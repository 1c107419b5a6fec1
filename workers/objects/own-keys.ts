// Private keys (ISO 32000-2, annex E: second-class names) for data that the standard has no entry for or can only store
// with a loss. Other programs leave them unchanged.

export const ownKeys = {
  /** Box before a rotation that is not a multiple of 90 degrees; it cannot always be computed from /Rect. */
  box: 'STWD_Box',
  /** Way in which a stamp's picture is fitted into its box. */
  fit: 'STWD_Fit',
  /** Centre of the caption of a polygon or a polyline. */
  captionCenter: 'STWD_CaptionCenter',
  /** Mark of a form XObject that this program generated for one annotation only, and may replace. */
  drawing: 'STWD_Drawing',
  /** Object number of the widget that a form XObject of this program was drawn for. */
  widget: 'STWD_Widget',
  /**
   * Mark of objects created from a request's files for a single annotation: the picture of a stamp, an attached file.
   */
  brought: 'STWD_Brought',
  /**
   * Mark of an object that is omitted from files that are sent, because it contains data of the layer for later undos.
   */
  note: 'STWD_Note',
} as const
