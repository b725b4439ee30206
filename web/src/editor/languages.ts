import { markdown } from "@codemirror/lang-markdown";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { sql } from "@codemirror/lang-sql";
import { indentUnit } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { pythonNames, sqlColumns } from "./completion";
import type { Scope } from "./scope";
import { sparkSql } from "./sparkSql";

export type Language = "sql" | "python" | "markdown";

/** What an editor of a language needs, given the datasets that its text can name. */
export function languageSupport(language: Language, scope: Scope): Extension {
  switch (language) {
    case "sql":
      return [lineNumbers(), sqlSupport(scope)];
    case "python":
      return [
        lineNumbers(),
        indentUnit.of("    "),
        python(),
        pythonLanguage.data.of({ autocomplete: pythonNames(scope) }),
      ];
    case "markdown":
      return [EditorView.lineWrapping, markdown()];
  }
}

function sqlSupport(scope: Scope): Extension {
  const schema = Object.fromEntries([...scope].map(([name, columns]) => [name, columns.map((column) => column.name)]));
  return [
    sql({ dialect: sparkSql, schema, upperCaseKeywords: true }),
    sparkSql.language.data.of({ autocomplete: sqlColumns(scope) }),
  ];
}
