// Assigns entries to widget and field, if one dictionary is both (ISO 32000-2, 12.5.6.19).

/** Entries that belong to the widget in a merged dictionary. */
export const widgetKeys: ReadonlySet<string> = new Set(
  'Type Subtype Rect P F AP AS BS Border MK A H NM M Contents Subj BM StructParent OC AF ca CA BE QP Lang C'.split(' '),
)

/** Events of the widget: /AA contains the events of both. */
export const widgetEvents: ReadonlySet<string> = new Set(['E', 'X', 'D', 'U', 'Fo', 'Bl', 'PO', 'PC', 'PV', 'PI'])
