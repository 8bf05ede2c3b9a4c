/** Words by which a text speaks to whoever reads it for us: an output is data, and people are to see that somebody tries. */
const patterns: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b[^\n]{0,40}\b(?:previous|prior|above|earlier|all|your|the)\b[^\n]{0,30}\b(?:instructions?|prompts?|guidelines)\b/i,
  /\b(?:note|message|instructions?|attention|warning|hint)\b[^\n]{0,10}\b(?:to|for)\b[^\n]{0,20}\b(?:ai|llm|assistant|agent|language model|chatbot|countersign)s?\b(?![-_.]|\s\d)/i,
  /\b(?:ai|llm|language model|devops agent|on-?call agent|countersign)(?: (?:agent|assistant|model|bot))?s?\b[^\n]{0,30}\b(?:must|should|please|shall|need to|are to|has to|have to)\b/i,
  /\b(?:you are|act as|pretend to be)\b[^\n]{0,30}\b(?:ai|llm|assistant|language model|devops agent|on-?call agent)\b/i,
  /\b(?:your|the|new) system (?:prompt|instructions)\b/i,
  /\b(?:dear|hey|hello|hi|attention),? (?:ai|assistant|agent|llm|model|countersign|devops agent)\b/i,
  /ACTIONS_JSON_(?:START|END)|\[SUGGESTIONS\]/,
  /<\/?(?:instructions|rules|identity|protocol|session-instructions|system)\b[^>\n]{0,120}>/,
];

/** A stem of each pattern: most lines have none, and are looked at once. */
const stem =
  /instruct|prompt|guideline|\bai\b|llm|language model|assistant|agent|chatbot|countersign|ACTIONS_JSON|SUGGESTIONS|<\/?[a-z]/i;

/** Where in a line it speaks to the agent; undefined where it does not. Linear in the line. */
export function addressedAt(line: string): number | undefined {
  if (!stem.test(line)) return undefined;
  for (const pattern of patterns) {
    const at = pattern.exec(line)?.index;
    if (at !== undefined) return at;
  }
  return undefined;
}
