import { useState } from "react";
import { Screen } from "../../components/Frame.tsx";
import { useRoute } from "../../hooks/useRoute.ts";
import { DocumentsSheet } from "./DocumentsSheet.tsx";
import { LibraryColumn } from "./LibraryColumn.tsx";
import { SearchColumn } from "./SearchColumn.tsx";
import { type LibraryFilter, useDocuments, useOverview } from "./useLibrary.ts";
import { Viewer } from "./Viewer.tsx";
import "./library.css";

/**
 * `#/library/all | recent | need-you | collection/ID | watched/ID` list documents; `#/library/document/ID` and
 * `#/library/passage/ID` open one; `#/library/search?q=…` searches, with the passage beside it.
 */
export function LibraryScreen() {
  const { path, query } = useRoute();
  const [place = "all", id = null] = path;
  if (place === "search") {
    const passage = query["passage"] ?? null;
    return (
      <Screen side={<SearchColumn />} sideWidth={332}>
        <Viewer key={passage} passageId={passage} documentId={null} />
      </Screen>
    );
  }
  if (place === "passage" || place === "document") {
    return (
      <Screen side={<ListSide place={place} id={id} />} sideWidth={216}>
        <Viewer key={id} passageId={place === "passage" ? id : null} documentId={place === "document" ? id : null} />
      </Screen>
    );
  }
  return <DocumentList key={`${place}/${id}`} place={place} id={id} />;
}

function ListSide({ place, id }: { readonly place: string; readonly id: string | null }) {
  return <LibraryColumn overview={useOverview().data ?? null} place={place} id={id} />;
}

function DocumentList({ place, id }: { readonly place: string; readonly id: string | null }) {
  const [name, setName] = useState("");
  const overview = useOverview();
  const documents = useDocuments(filterOf(place, id, name.trim()));
  return (
    <Screen side={<LibraryColumn overview={overview.data ?? null} place={place} id={id} />} sideWidth={216}>
      <DocumentsSheet
        overview={overview.data ?? null}
        documents={documents}
        place={place}
        id={id}
        name={name}
        onName={setName}
      />
    </Screen>
  );
}

function filterOf(place: string, id: string | null, name: string): LibraryFilter {
  const words = name === "" ? {} : { name };
  if (place === "collection" && id !== null) return { ...words, collectionId: id };
  if (place === "watched" && id !== null) return { ...words, watchedId: id };
  return place === "recent" || place === "need-you" ? { ...words, view: place } : words;
}
