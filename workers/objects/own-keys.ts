// Keys of our own in annotations (ISO 32000-2, annex E: second-class names), for what the standard has no place for and
// what it can only say with a loss. Other programs leave them alone.

export const ownKeys = {
  /** The box before a turn that is no multiple of 90 degrees: it cannot always be worked back from /Rect. */
  box: 'STWD_Box',
  /** How a stamp's picture is laid into its box. */
  fit: 'STWD_Fit',
  /** The middle of the caption of a polygon or a polyline. */
  captionCenter: 'STWD_CaptionCenter',
  /** In a form XObject: the drawing was made here for this annotation alone, and may be replaced. */
  drawing: 'STWD_Drawing',
  /** In files of a request for one annotation alone: the picture of a stamp, an attached file. */
  brought: 'STWD_Brought',
  /** In an object that is in no file that is sent: data of the layer for later undos. */
  note: 'STWD_Note',
} as const
