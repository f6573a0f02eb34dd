use lorimer_activate::{Activator as _, AppliesTo, BodyLimit, ClosingTags, CutNotice, ToolResult};
use lorimer_core::{Code, ReadLimit, Role, kind};

use crate::{activate, body, codes, skill};

/// S1-21, S1-24: the answer names the skill, holds its instructions, and comes back as the result of the tool.
#[test]
fn s1_21_s1_24_the_instructions_answer_the_call() {
    let activation = activate(&ToolResult::default(), &skill("tea"), "---\nname: tea\n---\n\nBoil water.\n");
    insta::assert_snapshot!(activation.item.text, @r#"
    <skill name="tea">
    Boil water.
    </skill>
    "#);
    assert_eq!(activation.item.role, Role::Tool);
    assert_eq!(activation.item.kind, kind::TOOL_RESULT);
    assert_eq!(body(&activation), "Boil water.");
    assert!(activation.diagnostics.is_empty());
}

/// S1-23, S1-27: a command in a body is text like any other; the crate has no way to run it.
#[test]
fn s1_23_s1_27_loading_executes_nothing() {
    let marker = std::env::temp_dir().join("lorimer-activate-must-not-exist");
    let command = format!("!`touch {0}`\n$(touch {0})\n", marker.display());
    let activation = activate(&ToolResult::default(), &skill("sh"), command.as_str());
    assert_eq!(body(&activation), command.trim());
    assert!(!marker.exists());
}

#[test]
fn an_odd_name_stays_in_its_quotation() {
    let odd = skill("a\"></skill>");
    let defused = activate(&ToolResult::default(), &odd, "x");
    insta::assert_snapshot!(defused.item.text, @r#"
    <skill name="a&quot;>&lt;/skill>">
    x
    </skill>
    "#);
    assert_eq!(codes(&defused), [Code::WrapperEscaped]);
    let as_is = ToolResult { closing_tags: ClosingTags::PassThrough, ..ToolResult::default() };
    let passed = activate(&as_is, &odd, "x");
    assert_eq!(passed.item.text, "<skill name=\"a\"></skill>\">\nx\n</skill>");
    assert_eq!(codes(&passed), [Code::WrapperNotEscaped]);
}

/// The limit is for the instructions, however long the frontmatter is.
#[test]
fn a_long_frontmatter_does_not_eat_the_limit() {
    let limit = Some(BodyLimit { bytes: 4, applies_to: AppliesTo::Everything, notice: CutNotice::Line });
    let tool = ToolResult { limit, ..ToolResult::default() };
    let activation = activate(&tool, &skill("tea"), "---\nname: tea\n---\nBoil water.");
    insta::assert_snapshot!(activation.item.text, @r#"
    <skill name="tea">
    Boil
    [7 bytes are left out here. The whole file: /skills/tea/SKILL.md]
    </skill>
    "#);
    assert_eq!(codes(&activation), [Code::BodyCut]);
    assert_eq!(tool.limit(&skill("tea")), ReadLimit(None));
}
