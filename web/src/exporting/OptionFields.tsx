import type { Parameters } from "../notebook/kinds";
import type { SinkOption } from "./options";

interface OptionFieldsProps {
  options: readonly SinkOption[];
  values: Parameters;
  onChange: (values: Parameters) => void;
}

/** The options of a format, each with what it does. */
export function OptionFields({ options, values, onChange }: OptionFieldsProps) {
  return (
    <div className="export-options">
      {options.map((option) => (
        <OptionField
          key={option.name}
          option={option}
          value={values[option.name] ?? option.initial}
          onChange={(value) => onChange({ ...values, [option.name]: value })}
        />
      ))}
    </div>
  );
}

interface OptionFieldProps {
  option: SinkOption;
  value: unknown;
  onChange: (value: string | boolean) => void;
}

function OptionField({ option, value, onChange }: OptionFieldProps) {
  if (option.kind === "switch") {
    return (
      <label className="export-check" title={option.hint}>
        <input type="checkbox" checked={value === true} onChange={({ target }) => onChange(target.checked)} />
        <span>{option.title}</span>
      </label>
    );
  }
  return (
    <label className="field" title={option.hint}>
      <span>{option.title}</span>
      {option.kind === "choice" ? (
        <select value={String(value)} onChange={({ target }) => onChange(target.value)}>
          {option.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          type="text"
          spellCheck={false}
          maxLength={option.longest}
          value={shown(String(value))}
          onChange={({ target }) => onChange(meant(target.value))}
        />
      )}
    </label>
  );
}

/** Nobody sees a tab, and no key writes one into a field. */
function shown(text: string): string {
  return text === "\t" ? "tab" : text;
}

function meant(text: string): string {
  return text === "tab" ? "\t" : text;
}
