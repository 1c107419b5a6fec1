// Limits of walks over the objects of a PDF, each with its unit. Reading stops at a limit: real files stay far below,
// and the cost of a hostile one is bounded.

export const readingLimits = {
  /** UTF-16 units of all texts of one answer together. */
  answerCharactersMax: 16_000_000,
  /** UTF-16 units of one name, label or key. */
  nameCharactersMax: 4_096,
  /** Numbers of one array: points of an ink stroke, quads of a highlight. */
  numbersMax: 100_000,
  /** Elements of all arrays in one answer: the same long array can be referenced from a million places. */
  answerValuesMax: 2_000_000,
  /** Nodes and depth of one name or number tree. */
  treeNodesMax: 50_000,
  treeDepthMax: 64,
  /** Entries taken from one tree. */
  treeEntriesMax: 100_000,
  /** Entries of one /Annots array that are inspected. */
  annotsLengthMax: 1_000_000,
  /** Levels of a form's field tree, and its nodes. */
  fieldDepthMax: 64,
  fieldNodesMax: 200_000,
  /** Ancestors a value is inherited from. */
  ancestorsMax: 64,
  /** Options of one choice field. */
  optionsMax: 20_000,
  /** Actions of one tree, and how deep they follow each other. */
  actionsMax: 256,
  actionDepthMax: 64,
  /** Actions of all trees of one answer, and the fields and annotations that they name. */
  answerActionPartsMax: 200_000,
  /** Items of an outline, and its depth. */
  outlineItemsMax: 20_000,
  outlineDepthMax: 64,
  /** UTF-16 units of one script, and bytes of the stream that holds it. */
  scriptBytesMax: 1_000_000,
  /** Bytes of one rich text, and of a document's XMP packet, deflated and inflated. */
  richTextBytesMax: 1_000_000,
  xmpBytesMax: 4_000_000,
  /** Elements, attributes of one element and depth of XML inside a PDF. */
  xmlElementsMax: 20_000,
  xmlAttributesMax: 256,
  xmlDepthMax: 64,
  /** Viewports of a page, and number formats of one measure. */
  viewportsMax: 1_000,
  numberFormatsMax: 64,
  /** Entries of the information dictionary. */
  customEntriesMax: 1_000,
  /** States of an appearance dictionary that are inspected. */
  appearanceStatesMax: 64,
  /** Objects, entries, nesting and stream bytes that one appearance may reach when it is copied into a new file. */
  graftObjectsMax: 20_000,
  graftEntriesMax: 500_000,
  graftDepthMax: 100,
  graftBytesMax: 64 * 1024 * 1024,
  /** Annotations that are exported onto one page of a new file. */
  exportedAnnotationsMax: 1_000,
} as const
