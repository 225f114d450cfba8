// Conditions as text: `variable operator constant`, or `variable` and `not variable` for booleans.

export const OPERATORS = ["==", "!=", "<", "<=", ">", ">="];

const FULL = /^\s*([A-Za-z_][\w.]*)\s*(==|!=|<=|>=|<|>)\s*(.*?)\s*$/;
const FLAG = /^\s*(not\s+)?([A-Za-z_][\w.]*)\s*$/;

// Splits conditions into texts; a text without quotes may join several with `and`.
export function conditionsOf(when) {
  if (when === undefined || when === null) return [];
  if (Array.isArray(when)) return when.map(String);
  return /['"]/.test(when)
    ? [String(when)]
    : String(when)
        .trim()
        .split(/\s+and\s+/);
}

// Joins conditions in the form in which they were written before.
export function whenOf(texts, before) {
  if (!texts.length) return undefined;
  return texts.length === 1 && typeof before === "string" ? texts[0] : texts;
}

export function parseCondition(text) {
  const full = FULL.exec(text);
  if (full) return { variable: full[1], operator: full[2], value: full[3], isFlag: false };
  const flag = FLAG.exec(text);
  if (flag) return { variable: flag[2], operator: "==", value: flag[1] ? "false" : "true", isFlag: true };
  return { variable: text.trim(), operator: "==", value: "", isFlag: false, isOdd: text.trim() !== "" };
}

export function conditionText({ variable, operator, value, isFlag }) {
  if (isFlag && operator === "==" && value === "true") return variable;
  if (isFlag && operator === "==" && value === "false") return `not ${variable}`;
  return `${variable} ${operator} ${value}`.trim();
}

// Only booleans and texts have no order.
export const operatorsFor = (spec) => (spec && ["bool", "str"].includes(spec.type) ? OPERATORS.slice(0, 2) : OPERATORS);

export const valuesFor = (spec) => (spec?.type === "bool" ? ["true", "false"] : (spec?.names ?? []));

// Parses a typed fact to the type of its variable.
export function valueOf(text, spec) {
  if (spec?.type === "bool" || !spec) {
    if (text === "true") return true;
    if (text === "false") return false;
  }
  const isNumber = spec ? ["int", "float"].includes(spec.type) : text !== "" && Number.isFinite(Number(text));
  return isNumber && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
