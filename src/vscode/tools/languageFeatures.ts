import * as vscode from 'vscode';
import type { CodeSymbol, Place, Problem, Severity } from '../../core/tools/workspace';
import { placeOf, uriOf } from './places';

export function readProblems(): readonly Problem[] {
  return vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
    const at = placeOf(uri);
    return at === undefined ? [] : diagnostics.map((diagnostic) => toProblem(at, diagnostic));
  });
}

export async function readOutline(place: Place): Promise<readonly CodeSymbol[]> {
  const symbols = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', uriOf(place));
  return (symbols ?? []).flatMap((symbol) =>
    'children' in symbol ? flatten(place, symbol, 0) : [fromInformation(place, symbol)],
  );
}

export async function findSymbols(query: string): Promise<readonly CodeSymbol[]> {
  const symbols = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  return (symbols ?? []).flatMap((symbol) => {
    const place = placeOf(symbol.location.uri);
    return place === undefined ? [] : [fromInformation(place, symbol)];
  });
}

function toProblem(place: Place, diagnostic: vscode.Diagnostic): Problem {
  return {
    place,
    line: diagnostic.range.start.line + 1,
    column: diagnostic.range.start.character + 1,
    severity: severities[diagnostic.severity],
    message: diagnostic.message,
    ...(diagnostic.source !== undefined && { source: diagnostic.source }),
  };
}

const severities: Readonly<Record<vscode.DiagnosticSeverity, Severity>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

function flatten(place: Place, symbol: vscode.DocumentSymbol, depth: number): CodeSymbol[] {
  return [
    {
      name: symbol.name,
      kind: kindName(symbol.kind),
      place,
      line: symbol.range.start.line + 1,
      endLine: symbol.range.end.line + 1,
      depth,
    },
    ...symbol.children.flatMap((child) => flatten(place, child, depth + 1)),
  ];
}

function fromInformation(place: Place, symbol: vscode.SymbolInformation): CodeSymbol {
  return {
    name: symbol.name,
    kind: kindName(symbol.kind),
    place,
    line: symbol.location.range.start.line + 1,
    endLine: symbol.location.range.end.line + 1,
    depth: 0,
    ...(symbol.containerName !== '' && { container: symbol.containerName }),
  };
}

function kindName(kind: vscode.SymbolKind): string {
  return (vscode.SymbolKind[kind] ?? 'symbol').toLowerCase();
}
